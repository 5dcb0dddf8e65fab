#!/usr/bin/env bash
# The workload W(n) on a real adapter: `bash tests/results/h200/bench.sh weft OUT.jsonl`, a line of JSON for each run.
# `frames` 300 as in peers; at 2048 as many as fit into the time.
set -u
weft=$1 out=$2
bench() { timeout 60 "$weft" bench --path gpu -b 6 "$@" >>"$out" || echo "left out: $*" >&2; }
: >"$out"
for n in 64 128 256 512 1024 2048; do
    bench -n "$n" -s 32 --solver explicit -f 300
    for substeps in 10 20 40; do
        bench -n "$n" -s "$substeps" -i 1 --order coloured -f 300
        bench -n "$n" -s "$substeps" -i 1 --order jacobi -f 300
    done
    bench -n "$n" -s 10 -i 10 --order coloured -f 300
    bench -n "$n" -s 10 -i 20 --order coloured -f 300
done
