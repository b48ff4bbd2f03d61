// For a chain of steps.
import { add } from "../sections";
import { section as arc } from "../section/arc";
import { section as steps } from "../section/steps";

add(arc, steps);
