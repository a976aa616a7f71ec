# Treeline from nothing but Debian's archive. Arrow, which Debian 12 does not have, is built from Debian's source package.
#
#   docker build --tag treeline .
#   docker run --rm --volume "$PWD:/work" treeline fpl --input train.tsv --search --output sparse
#
# scripts/test-dockerfile runs these steps without Docker, in a chroot.

FROM debian:bookworm-slim AS build
COPY . /treeline
WORKDIR /treeline
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates
RUN TREELINE_ARROW=source scripts/setup
RUN scripts/package

FROM debian:bookworm-slim
COPY --from=build /treeline/build/release/treeline_*.deb /tmp/
RUN apt-get update && apt-get install --yes --no-install-recommends /tmp/treeline_*.deb && rm -rf /tmp/treeline_*.deb /var/lib/apt/lists/*
WORKDIR /work
CMD ["treeline-quickstart"]
