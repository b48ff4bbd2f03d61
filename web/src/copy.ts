// The clipboard and files. The clipboard may be refused (a sandboxed frame): then a text to copy by hand is shown.

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce("copied");
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "by-hand";
    area.setAttribute("aria-label", "copy this text; Escape closes");
    area.onblur = () => area.remove();
    area.onkeydown = (e) => { if (e.key === "Escape") area.remove(); e.stopPropagation(); };
    document.body.append(area);
    area.select();
    announce("press Ctrl-C to copy");
  }
}

// announce tells what happened in the live region, for eyes and screen readers.
export function announce(text: string): void {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}

export function download(name: string, text: string, type = "text/plain"): void {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([text], { type }));
  a.download = name.replace(/[^\w.+-]/g, "_");
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}
