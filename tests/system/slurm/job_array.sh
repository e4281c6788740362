#!/bin/bash
# The job array of docs/scan.md, on a Slurm of one node.
#
#   job_array.sh LUMARCH FOLDER SCAN.md
set -euo pipefail
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
lumarch=$1 folder=$2 page=$3
if [ "${4:-}" != inside ]; then
  rm -rf "$folder"
  exec "$here/one_node.sh" "$folder/slurm" "$0" "$lumarch" "$folder" "$page" inside
fi
mkdir -p "$folder/work"
cd "$folder/work"
export PATH=$(dirname -- "$lumarch"):$PATH
# the problem and the script are those of the page
sed -n "/^cat > powers.json <<'END'$/,/^END$/p" "$page" | sed '1d;$d' > powers.json
sed -n '/^#!\/bin\/bash$/,/^```$/p' "$page" | sed '$d' > job.sh
grep -q 'SBATCH --array=1-4' job.sh
timeout 120 sbatch --wait job.sh || { cat slurm-*.out; exit 1; }
lumarch collect all.h5 powers.*-of-4.h5
lumarch info all.h5 | grep -q '10 done'
echo "four jobs of an array marched ten points"
