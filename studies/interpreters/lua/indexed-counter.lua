-- Counters in a table, each incremented by its index, round after round: every
-- step reads an element and assigns it. Prints the sum of all counters.
local function count(rounds, size)
  local counters = {}
  for i = 1, size do
    counters[i] = 0
  end
  for round = 1, rounds do
    for i = 1, size do
      counters[i] = counters[i] + 1
    end
  end
  local sum = 0
  for i = 1, size do
    sum = sum + counters[i]
  end
  return sum
end

print(count(8000, 1000))
