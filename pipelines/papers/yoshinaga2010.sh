#!/usr/bin/env bash
# Yoshinaga & Kitsuregawa, COLING 2010: Tables 2 and 3 and Figures 1 to 4: methods of passive-aggressive learning over
# conjunctions of features.
#
#   pipelines/papers/yoshinaga2010.sh --data DIR --work DIR [--size small|full]
#
#   --data DIR  the development data (folders srl, qc, binary), or data/ of the project: trees of its grammar
#   --work DIR  folder for everything made, shared by the papers: yoshinaga2010/ (tables/*.tsv, plots/*.svg, results.json),
#               and, of all papers measured there, papers.html and RESULTS.md
#   --size      small: parts of the data, minutes on two cores; full: all of it
#
# Run again, it does only what is missing or no longer fits.

. "$(dirname "$0")/recipe.sh"

paper "$@"
