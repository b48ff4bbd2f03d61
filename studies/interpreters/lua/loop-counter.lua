-- Two nested loops that increment a local counter: the cost of the interpreter's
-- dispatch and of arithmetic, and nothing else. Prints the count.
local function count(outer, inner)
  local n = 0
  for i = 1, outer do
    for j = 1, inner do
      n = n + 1
    end
  end
  return n
end

print(count(1000, 14000))
