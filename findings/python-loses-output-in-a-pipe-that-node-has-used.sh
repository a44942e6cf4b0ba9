#!/usr/bin/env bash
# node 24.21.0 and Python 3.11.7. Two programs that print to one pipe do not know of each other. But Node makes the pipe non-blocking,
# and that holds for everybody who has it. Once a slow reader lets it fill, a Python program beside it ends with BlockingIOError; with
# PYTHONUNBUFFERED, which many images set, it loses what did not fit and goes on without an error. A file or a terminal is not affected.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0
cat >lines.py <<'END'
import sys
try:
    for _ in range(20000):
        print("x" * 99, flush=True)
except OSError as error:
    sys.exit(type(error).__name__)
sys.stderr.write("printed all\n")
END
run() {
  {
    if [ "$1" = beside ]; then
      node_modules/.bin/node -e 'console.log("node"); setTimeout(() => {}, 4000)' &
      sleep 1
    fi
    PYTHONUNBUFFERED=$2 python3 lines.py 2>errors || true
  } | {
    sleep 2
    if [ "$(grep -c x)" = 20000 ]; then echo all; else echo some; fi >read
  }
  echo "$1 Node, PYTHONUNBUFFERED=$2: $(head -n 1 errors), $(cat read) of 20,000 lines read"
}
for place in without beside; do
  run "$place" ''
  run "$place" 1
done >seen.txt
cat >expected.txt <<'END'
without Node, PYTHONUNBUFFERED=: printed all, all of 20,000 lines read
without Node, PYTHONUNBUFFERED=1: printed all, all of 20,000 lines read
beside Node, PYTHONUNBUFFERED=: BlockingIOError, some of 20,000 lines read
beside Node, PYTHONUNBUFFERED=1: printed all, some of 20,000 lines read
END
diff expected.txt seen.txt && echo "As described."
