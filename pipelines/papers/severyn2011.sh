#!/usr/bin/env bash
# Severyn & Moschitti 2011: Figure 1, classes out of balance (P, R, F1 by ratio of the classes), and Figure 2,
# speed-up against processors.
#
#   pipelines/papers/severyn2011.sh --data DIR --work DIR [--size small|full]
#
#   --data DIR  the development data (folders srl, qc, binary), or data/ of the project: trees of its grammar
#   --work DIR  folder for everything made, shared by the papers: severyn2011/ (tables/*.tsv, plots/*.svg, results.json),
#               and, of all papers measured there, papers.html and RESULTS.md
#   --size      small: parts of the data, minutes on two cores; full: all of it
#
# Run again, it does only what is missing or no longer fits.

. "$(dirname "$0")/recipe.sh"

paper "$@"
