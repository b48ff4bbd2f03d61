// For explanations.
import { add } from "../sections";
import { section as why } from "../section/why";

add(why);
