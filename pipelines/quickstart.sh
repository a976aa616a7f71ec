#!/usr/bin/env bash
# A first look: every method on the sample of questions in data/, ending with the table and the path of the report.
#
#   pipelines/quickstart.sh [--work DIR]
#
#   --work DIR  folder for everything made (default: treeline-quickstart)

. "$(dirname "$0")/common.sh"

work=treeline-quickstart
case "${1-}" in
    "") ;;
    --help) help && exit 0 ;;
    --work) [ $# -eq 2 ] || usage_error "--work needs a value" && work=$2 ;;
    --work=*) work=${1#--work=} ;;
    *) usage_error "unknown option '$1'" ;;
esac
sample=$pipelines/../data/sample
say "comparing the methods on $(basename "$sample").*"
"$pipelines/compare.sh" --train "$sample.train.gz" --test "$sample.test.gz" --work "$work" --config "$pipelines/sample.toml"
say "the programs are in $(cd "$programs" && pwd)"
say "the fragments of the sparse model: fdi top $work/sparse/model/dict"
say "a sparse model of data of your own: fpl --input FILE --search --output FOLDER; --help says more"
say "every method on data of your own: $(basename "$pipelines")/compare.sh --train FILE --test FILE --work FOLDER"
