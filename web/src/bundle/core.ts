// What every page carries.
import "../main";
import { add } from "../sections";
import { section as answer } from "../section/answer";
import { section as benchmarks } from "../section/benchmarks";
import { section as noise } from "../section/noise";
import { section as method } from "../section/method";
import { section as data } from "../section/data";

add(answer, benchmarks, noise, method, data);
