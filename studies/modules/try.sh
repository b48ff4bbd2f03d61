#!/usr/bin/env bash
# Tries assay on public modules, and prints a Markdown table of how each ended. It is run by
# hand: it needs a module proxy and a quarter of an hour, and compiles and runs code of others.
#
#   ASSAY=bin/assay studies/modules/try.sh [MODULES.txt] >table.md
#
# Each module is listed (plan --dry), and one benchmark of its first package is measured in two
# versions for a few seconds. With MEASURE=no nothing is built or run, for a machine on which
# somebody else measures. What went wrong is the first lines of the message and what it
# says to try, so that a reader can judge whether they help.
set -u
assay=$(realpath "${ASSAY:-$(command -v assay)}")
list=$(realpath "${1:-$(dirname "$0")/modules.txt}")
how=(compare --budget 10s --blocks 2 --progress none)
if [ "${MEASURE:-yes}" = no ]; then how=(plan --dry); fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# cell prints text as the cell of a table.
cell() { tr '\n' ' ' | sed 's/|/\\|/g; s/  */ /g' | cut -c1-160; }

# try MODULE OLD NEW SHAPE prints the line of a module.
try() {
	local module=$1 old=$2 new=$3 shape=$4 dir found folder name out status begin=$SECONDS
	dir=$(go mod download -json "$module@$new" 2>/dev/null | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
	found=$(cd "${dir:-$work}" && "$assay" plan --dry ./... 2>&1)
	folder=$(sed -n 's/^ \{13\}\(\..*\): [0-9]*$/\1/p' <<<"$found" | head -1)
	name=$(sed -n 's/^ \{15\}\([^ ]*\)$/\1/p' <<<"$found" | head -1)
	out=$(timeout 300 "$assay" "${how[@]}" \
		"$module@$old" "$module@$new" -- -bench="^Benchmark$name\$" "${folder:-.}" 2>"$work/err")
	status=$?
	out=$(sed -n 's/^ANSWER *//p' <<<"$out" | head -1)
	if [ -z "$out" ]; then
		out=$(grep -v '^assay: \(build\|calibrat\|measur\|fetch\)' "$work/err" | head -6)
	fi
	printf '| %s | %s | %s | %s | %s s | %s |\n' "$module" "$shape" \
		"$(sed -n 's/^found *//p' <<<"$found" | sed 's|, by the .*||')" "$status" $((SECONDS - begin)) "$(cell <<<"$out")"
}

echo '| module | shape | benchmarks | exit | time | answer or message |'
echo '|---|---|---|---|---|---|'
while read -r module old new shape; do
	case $module in '#'* | '') continue ;; esac
	try "$module" "$old" "$new" "$shape" </dev/null
done <"$list"
