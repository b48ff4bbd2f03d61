// The clipboard and files. The clipboard may be refused (a sandboxed frame): then a text to copy by hand is shown.

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce("copied", true);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "by-hand";
    area.setAttribute("aria-label", "copy this text; Escape closes");
    area.onblur = () => area.remove();
    area.onkeydown = (e) => {
      if (e.key === "Escape") area.remove();
      e.stopPropagation();
    };
    document.body.append(area);
    area.select();
    announce("press Ctrl-C to copy", true);
  }
}

// announce tells what happened to screen readers, and to eyes for a moment where they would not see it.
export function announce(text: string, seen = false): void {
  const live = document.getElementById("live");
  if (!live) return;
  live.textContent = text;
  live.className = seen ? "seen" : "";
  clearTimeout(gone);
  gone = setTimeout(() => {
    live.className = "";
  }, 2000);
}
let gone: ReturnType<typeof setTimeout> | undefined;

export function download(name: string, text: string, type = "text/plain"): void {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([text], { type }));
  a.download = name.replace(/[^\w.+-]/g, "_");
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}
