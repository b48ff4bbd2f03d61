-- The sieve of Eratosthenes over one large table that grows as it is filled: writes
-- with a stride through memory that the collector has to look at. Prints the number
-- of primes up to the limit.
local function primes(limit)
  local composite = {}
  for i = 1, limit do
    composite[i] = false
  end
  local n = 0
  for i = 2, limit do
    if not composite[i] then
      n = n + 1
      for j = i * i, limit, i do
        composite[j] = true
      end
    end
  end
  return n
end

print(primes(1500000))
