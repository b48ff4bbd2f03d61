// For the frames of a run.
import { add } from "../sections";
import { section as replay } from "../section/replay";

add(replay);
