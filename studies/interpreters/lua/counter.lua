-- A counter that is a closure over a local variable, called in a loop: the cost of
-- a call, and of a variable that is not the function's own. Prints the count.
local function new_counter()
  local n = 0
  return function()
    n = n + 1
    return n
  end
end

local function count(calls)
  local next = new_counter()
  local last = 0
  for i = 1, calls do
    last = next()
  end
  return last
end

print(count(4500000))
