// The sections in the order of the page.
import type { Section } from "./section";
import { section as answer } from "./section/answer";
import { section as variants } from "./section/variants";
import { section as matrix } from "./section/matrix";
import { section as factors } from "./section/factors";
import { section as arc } from "./section/arc";
import { section as walk } from "./section/walk";
import { section as steps } from "./section/steps";
import { section as benchmarks } from "./section/benchmarks";
import { section as latency } from "./section/latency";
import { section as gc } from "./section/gc";
import { section as why } from "./section/why";
import { section as noise } from "./section/noise";
import { section as method } from "./section/method";
import { section as data } from "./section/data";

export const sections: Section[] = [answer, variants, matrix, factors, arc, walk, steps, benchmarks, latency, gc, why, noise, method, data];
