// For more than one variant beside the base.
import { add } from "../sections";
import { section as variants } from "../section/variants";
import { section as matrix } from "../section/matrix";
import { section as factors } from "../section/factors";

add(variants, matrix, factors);
