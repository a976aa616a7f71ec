#!/usr/bin/env bash
# Severyn & Moschitti, ECML 2010: Figures 2 to 6 and Table 1: cutting planes on samples against the exact SVM, the
# search for C, kernel and lambda.
#
#   pipelines/papers/severyn2010.sh --data DIR --work DIR [--size small|full]
#
#   --data DIR  the development data (folders srl, qc, binary), or data/ of the project: trees of its grammar
#   --work DIR  folder for everything made, shared by the papers: severyn2010/ (tables/*.tsv, plots/*.svg, results.json),
#               and, of all papers measured there, papers.html and RESULTS.md
#   --size      small: parts of the data, minutes on two cores; full: all of it
#
# Run again, it does only what is missing or no longer fits.

. "$(dirname "$0")/recipe.sh"

paper "$@"
