# Fails with the file and line of every tab and trailing space.
n=0
wrong=0
for file in src/* tests/*; do
  n=$((n + 1))
  if grep -nE '[[:space:]]+$' "$file" || grep -n "$(printf '\t')" "$file"; then
    echo "not ok $n - $file"
    wrong=1
  else
    echo "ok $n - $file"
  fi
done
exit "$wrong"
