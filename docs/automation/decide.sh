#!/bin/sh
# decide.sh [RUN] decides about a change from exit statuses and JSON alone. RUN is a run of
# two variants: first the code without the change, then the code with it. It prints a word:
#   keep    exit 0: proved better, and nothing is worse than the limits allow
#   revert  exit 1: proved worse than a limit allows, or decided without a gain
#   more    exit 2: not decided yet; measure longer
#   broken  exit 3: no result to decide from, such as a benchmark that failed
run=${1:-last}
say() { echo "$1"; exit "$2"; }

assay gate --max 2% --metric allocs/op=0% "$run" >/dev/null
gate=$?
result=$(assay show --json "$run") || say broken 3
choice=$(echo "$result" | jq -r 'if (.answer.use // "") == "" then "none" elif .answer.use == .base then "old" else "new" end')
decided=$(echo "$result" | jq -r .answer.decided)

case $gate,$choice,$decided in
0,new,*) say keep 0 ;;
1,*) say revert 1 ;;
[03],old,*) say revert 1 ;;
0,none,true) say revert 1 ;;
[03],*) say more 2 ;;
esac
say broken 3
