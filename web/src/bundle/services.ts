// For servers under load, and for the collector.
import { add } from "../sections";
import { section as latency } from "../section/latency";
import { section as gc } from "../section/gc";

add(latency, gc);
