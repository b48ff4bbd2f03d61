// The browser that pages are looked at and tested with: Debian's chromium.
import { chromium } from "playwright-core";
import { execFileSync } from "node:child_process";

export function chromiumPath() {
  for (const name of ["chromium", "chromium-browser", "google-chrome"])
    try {
      return execFileSync("which", [name], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).trim();
    } catch {
      /* the next */
    }
  return null;
}

// The browser may take a while to start on a busy machine.
export const launch = () =>
  chromium.launch({
    executablePath: chromiumPath(),
    timeout: 15 * 60_000,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
