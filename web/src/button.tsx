// Buttons that look like links, and the one that copies a command.
import type { ComponentProps } from "preact";
import { copy } from "./copy";

export const Quiet = (p: ComponentProps<"button">) => <button type="button" class="quiet" {...p} />;

// Copy copies a line; what says which one.
export const Copy = ({ line, what = line }: { line: string; what?: string }) => (
  <Quiet aria-label={"copy the command: " + what} onClick={() => copy(line)}>
    copy
  </Quiet>
);
