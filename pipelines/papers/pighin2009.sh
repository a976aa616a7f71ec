#!/usr/bin/env bash
# Pighin & Moschitti, CoNLL 2009: Tables 1 and 2, Figures 4, 5 and 6, and what its section 5 says about the
# fragments.
#
#   pipelines/papers/pighin2009.sh --data DIR --work DIR [--size small|full]
#
#   --data DIR  the development data (folders srl, qc, binary), or data/ of the project: trees of its grammar
#   --work DIR  folder for everything made, shared by the papers: pighin2009/ (tables/*.tsv, plots/*.svg, results.json),
#               and, of all papers measured there, papers.html and RESULTS.md
#   --size      small: parts of the data, minutes on two cores; full: all of it
#
# Run again, it does only what is missing or no longer fits.

. "$(dirname "$0")/recipe.sh"

paper "$@"
