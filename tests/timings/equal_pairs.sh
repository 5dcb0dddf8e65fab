#!/usr/bin/env bash
# False alarms of `weft ab` on real runs: the same program against itself, COUNT times, each comparison of PAIRS + PAIRS runs in
# the order ABBA. A verdict `slower` or `faster` is an alarm, and a false one; `repeat` and `no difference` are none.
#
#   tests/timings/equal_pairs.sh [COUNT [PAIRS [FRAMES [SCENE]]]] > tests/results/equal_pairs.csv
#
# The rows go to the standard output, the sum to the standard error; the exit code is 1 with more than 6 % of alarms.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
count=${1:-30} pairs=${2:-6} frames=${3:-60} scene=${4:-$root/scenes/hanging.ron}
weft=${WEFT:-$root/target/release/weft}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

alarms=0
echo "comparison,ratio,low,high,verdict"
for ((i = 1; i <= count; i++)); do
    # Its exit code is that of the verdict.
    "$weft" ab "$scene" --a '--threads 1' --b '--threads 1' --pairs "$pairs" --frames "$frames" --out "$out/$i" --json \
        >"$out/$i.json" 2>"$out/$i.log" || true
    row=$(python3 - "$out/$i.json" <<'PYTHON'
import json, sys
found = json.load(open(sys.argv[1]))
by = next(line for line in found["lines"] if line["stage"] == found["by"])
print(f'{by["ratio"]:.4f},{by["low"]:.4f},{by["high"]:.4f},{found["verdict"]}')
PYTHON
    ) || { cat "$out/$i.log" >&2; exit 2; }
    echo "$i,$row"
    case $row in *,slower | *,faster) alarms=$((alarms + 1)) ;; esac
    rm -rf "${out:?}/$i"
done
echo "$alarms false alarms in $count comparisons" >&2
[ $((alarms * 100)) -le $((count * 6)) ]
