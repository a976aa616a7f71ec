#!/usr/bin/env bash
# Moschitti, EACL 2006: time of the quadratic and the fast tree kernel against the nodes of the trees; accuracy by
# kernel, with trees, polynomial vectors, and their sums.
#
#   pipelines/papers/moschitti2006.sh --data DIR --work DIR [--size small|full]
#
#   --data DIR  the development data (folders srl, qc, binary), or data/ of the project: trees of its grammar
#   --work DIR  folder for everything made, shared by the papers: moschitti2006/ (tables/*.tsv, plots/*.svg, results.json),
#               and, of all papers measured there, papers.html and RESULTS.md
#   --size      small: parts of the data, minutes on two cores; full: all of it
#
# Run again, it does only what is missing or no longer fits.

. "$(dirname "$0")/recipe.sh"

paper "$@"
