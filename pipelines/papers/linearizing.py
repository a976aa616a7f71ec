"""The stages of linearization on one binary task: whole, and as pieces that could run side by side."""

TOP = 10000  # L, fragments of each model, where it does not vary


class Task:
    """One binary task: boundaries, or a role against the others."""

    def __init__(self, work, name, train, test, limit, positives):
        self.work, self.name, self.train, self.test, self.limit = work, name, train, test, limit
        self.splits = max(1, min(10, positives // 2))
        self.learn = ["--input", train, "--limit", limit, "--threads", 1]

    def step(self, name, output, *command):
        return self.work.step(f"{self.name}-{name}", f"{self.name}/{output}", *command)

    def path(self, name):
        return self.work.folder / self.name / name

    def kernel(self):
        return self.work.kernel_machine(f"{self.name}/kernel", self.train, self.test, limit=self.limit)

    def linearized(self, top):
        """Stages of training, the test, and how good it is, with the `top` heaviest fragments of each split's model."""
        at, dictionary, vectors = f"top-{top}", self.path(f"top-{top}/dict"), self.path(f"top-{top}/vectors")
        stages = {
            "fsl": self.step(
                "fsl",
                "fsl",
                "fsl",
                *self.learn,
                "--output",
                self.path("fsl"),
                "--splits",
                self.splits,
                "--splitting",
                "stratified",
            ),
            "fmi": self.step(
                f"{at}-fmi",
                f"{at}/dict",
                "fmi",
                "--models",
                self.path("fsl"),
                "--top",
                top,
                "--output",
                dictionary,
                "--threads",
                1,
            ),
            "tfx": self.step(
                f"{at}-tfx", f"{at}/vectors", "tfx", *self.learn, "--dictionary", dictionary, "--output", vectors
            ),
            "esl": self.step(
                f"{at}-esl",
                f"{at}/model",
                "esl",
                "--input",
                vectors,
                "--output",
                self.path(f"{at}/model"),
                "--threads",
                1,
            ),
        }
        test = self.step(
            f"{at}-esc",
            f"{at}/predictions.tsv",
            "esc",
            "--model",
            stages["esl"].path,
            "--dictionary",
            dictionary,
            "--trees",
            self.test,
            "--output",
            self.path(f"{at}/predictions.tsv"),
            "--metrics",
            self.path(f"{at}/metrics.json"),
            "--threads",
            1,
        )
        return {
            **self.work.quality(f"{self.name}/{at}"),
            "stages": stages,
            "test": test,
            "cpu": sum(one.cpu for one in stages.values()),
            "fragments": stages["fmi"].counts["fragments"],
            "dictionary": dictionary,
        }

    def pieces(self):
        """CPU seconds of the pieces that can run side by side, stage by stage: a job a split, a model, a part of the vectors."""
        count = self.splits
        models = [f"pieces/fsl/split-{i:03}-of-{count:03}.svm" for i in range(1, count + 1)]
        mined = [f"pieces/mined-{i}.frag" for i in range(1, count + 1)]
        jobs = {
            "fsl": [
                self.step(
                    f"piece-fsl-{i}",
                    models[i - 1],
                    "fsl",
                    *self.learn,
                    "--output",
                    self.path("pieces/fsl"),
                    "--split",
                    f"{i}/{count}",
                    "--splitting",
                    "stratified",
                )
                for i in range(1, count + 1)
            ]
        }
        jobs["fmi"] = [
            self.step(
                f"piece-fmi-{i}",
                mined[i - 1],
                "fmi",
                "--models",
                self.path(models[i - 1]),
                "--top",
                TOP,
                "--mined-output",
                self.path(mined[i - 1]),
                "--threads",
                1,
            )
            for i in range(1, count + 1)
        ]
        jobs["merge"] = [
            self.step(
                "piece-merge",
                "pieces/dict",
                "fmi",
                "--merge",
                *map(self.path, mined),
                "--output",
                self.path("pieces/dict"),
                "--threads",
                1,
            )
        ]
        jobs["tfx"] = [
            self.step(
                f"piece-tfx-{i}",
                f"pieces/vectors/part-{i - 1:05}-of-{count:05}.arrow",
                "tfx",
                *self.learn,
                "--dictionary",
                self.path("pieces/dict"),
                "--output",
                self.path("pieces/vectors"),
                "--shard",
                f"{i}/{count}",
            )
            for i in range(1, count + 1)
        ]
        jobs["esl"] = [
            self.step(
                "piece-esl",
                "pieces/model",
                "esl",
                "--input",
                self.path("pieces/vectors"),
                "--output",
                self.path("pieces/model"),
                "--threads",
                1,
            )
        ]
        return {stage: [one.cpu for one in made] for stage, made in jobs.items()}
