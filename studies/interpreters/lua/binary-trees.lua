-- Short-lived binary trees beside one that stays: what the collector has to mark in
-- every cycle is some tens of megabytes, and most of what is allocated is garbage
-- soon. Prints the number of nodes of all trees.
local function tree(depth)
  if depth == 0 then
    return {}
  end
  return { tree(depth - 1), tree(depth - 1) }
end

local function nodes(t)
  if t[1] == nil then
    return 1
  end
  return 1 + nodes(t[1]) + nodes(t[2])
end

local function count(kept, trees, depth)
  local long_lived = tree(kept)
  local n = 0
  for i = 1, trees do
    n = n + nodes(tree(depth))
  end
  return n + nodes(long_lived)
end

print(count(16, 120, 12))
