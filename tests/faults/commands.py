"""The commands that the fault tests disturb: one of every way that a stage writes.

A command reads files that `prepare` made and writes only what it names by `@NAME`. `%NAME` is a prepared file.
"""

PREPARE = """
tdp generate --grammar {root}/data/questions.grammar --count 160 --seed 3 --output two.tsv
tdp generate --grammar {root}/data/questions.grammar --count 60 --seed 4 --output test.tsv
awk 'BEGIN {{ OFS = FS = "\\t" }} {{ $1 = "c" NR % 3; print }}' two.tsv > three.tsv
tdp convert --input two.tsv --to svmlight-tk --output two.dat
awk '{{ n = split($0, w, ""); printf "%s", NR % 2 ? "+1" : "-1"; for (i = 1; i <= 20; ++i) if ((NR * i) % 7 < 3) printf " %d:1", i; print "" }}' two.tsv > binary.svm
ksl --input two.tsv --output two.svm
ksl --input three.tsv --output three.svm
fsl --input two.tsv --splits 2 --output models
fmi --models models --top 60 --output dict
tfx --dictionary dict --input two.tsv --output vectors
tfx --dictionary dict --input test.tsv --output vectors-test
esl --input vectors --output two.linear
psl --input binary.svm --degree 2 --iterations 2 --output binary.psl
"""

COMMANDS = {
    "tdp-generate": "tdp generate --grammar {root}/data/questions.grammar --count 80 --seed 5 --output @out.tsv",
    "tdp-convert": "tdp convert --input %two.tsv --to svmlight-tk --output @out.dat.gz",
    "tdp-split": "tdp split --input %two.tsv --output @parts --parts train=0.8,test=0.2",
    "ksl": "ksl --input %two.tsv --output @out.svm",
    "ksl-classes": "ksl --input %three.tsv --output @out.svm",
    "ksl-usvm": "ksl --input %two.tsv --solver usvm --sample 50 --output @out.svm",
    "ksc": "ksc --model %two.svm --input %test.tsv --output @out.tsv --metrics @out.json",
    "ksm": "ksm --input %test.tsv --kernel sst --matrix --output @out.npy",
    "fsl": "fsl --input %two.tsv --splits 2 --output @out",
    "fmi": "fmi --models %models --top 50 --output @out",
    "tfx": "tfx --dictionary %dict --input %two.tsv --shards 3 --output @out",
    "tfx-libsvm": "tfx --dictionary %dict --input %two.tsv --shards 2 --format libsvm --output @out",
    "esl": "esl --input %vectors --output @out.linear",
    "esl-l1": "esl --input %vectors --solver l1r-lr --output @out.linear",
    "esc": "esc --model %two.linear --input %vectors-test --output @out.tsv --metrics @out.json",
    "esc-trees": "esc --model %two.linear --dictionary %dict --trees %test.tsv --output @out.tsv",
    "fpl": "fpl --input %two.tsv --output @out",
    "fdi-prune": "fdi prune %dict --model %two.linear --output @out",
    "psl": "psl --input %binary.svm --degree 2 --iterations 2 --output @out.psl",
    "psc": "psc --model %binary.psl --input %binary.svm --output @out.tsv --metrics @out.json",
    "fdi-export": "fdi export %dict --output @out.tsv",
    "fdi-browse": "fdi browse %dict --output @out",
}
