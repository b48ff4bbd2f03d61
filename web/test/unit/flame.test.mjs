// Labels of the flame graph lose what there is no room for from the left, at the ends of names.
import { test } from "node:test";
import assert from "node:assert/strict";
import { labelOf } from "../../src/section/flame.tsx";

const label = (name, room) => labelOf({ name, base: 0, variant: 0 }, { base_value: 1 }, room);

test("a label keeps the function's own name as long as it fits", () => {
  for (const [name, room, want] of [
    ["runtime.mallocgc", 16, "runtime.mallocgc"],
    ["runtime.mallocgc", 15, "mallocgc"],
    ["runtime.mallocgc", 8, "mallocgc"],
    ["runtime.mallocgc", 7, "malloc…"],
    ["runtime.mallocgc", 1, ""],
    ["example.com/a/b.(*Reader[go.shape.int]).ReadAll", 60, "b.(*Reader[go.shape.int]).ReadAll"],
    ["example.com/a/b.(*Reader).ReadAll", 18, "(*Reader).ReadAll"],
    ["example.com/a/b.(*Reader).ReadAll", 16, "ReadAll"],
    ["example.com/a/b.(*Reader).ReadAll.func1", 14, "ReadAll.func1"],
    ["example.com/a/b.(*Reader[go.shape.int]).ReadAll", 9, "ReadAll"],
    ["example.com/mod/v2.Get", 12, "mod/v2.Get"],
    ["example.com/mod/v2.Get", 5, "Get"],
    ["(deduplicated_symbol)", 30, "(deduplicated_symbol)"],
    ["main", 4, "main"],
  ])
    assert.equal(label(name, room), want, `${name} in ${room}`);
});
