// The subset of Markdown that stories and introductions are written in: paragraphs, lists, `code`, **bold**,
// *emphasis* and links. Such text is by strangers: it becomes text nodes, and a link only where it is http or https.
import type { ComponentChildren } from "preact";

// Each alternative ends at the next character of its own kind, so that no text takes more than linear time.
const inline = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^[\]]+)\]\(([^()\s]+)\)/g;

function link(text: string, address: string): ComponentChildren {
  return /^https?:\/\/[^/]/i.test(address) ? (
    <a href={address} rel="noopener noreferrer" target="_blank">
      {text}
    </a>
  ) : (
    text
  );
}

// Inline is a line of it without blocks.
export function Inline({ text }: { text: string }) {
  const out: ComponentChildren[] = [];
  let end = 0;
  for (const m of text.matchAll(inline)) {
    const [whole, code, bold, em, label, address] = m;
    out.push(text.slice(end, m.index));
    if (code) out.push(<code>{code}</code>);
    else if (bold)
      out.push(
        <strong>
          <Inline text={bold} />
        </strong>,
      );
    else if (em)
      out.push(
        <em>
          <Inline text={em} />
        </em>,
      );
    else out.push(link(label!, address!));
    end = m.index + whole.length;
  }
  out.push(text.slice(end));
  return <>{out}</>;
}

const item = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/;

// items are the entries of a list: a line without a sign of its own goes on with the entry before.
function items(lines: string[]): string[] {
  const out: string[] = [];
  for (const l of lines) {
    if (item.test(l) || !out.length) out.push(l.replace(item, ""));
    else out[out.length - 1] += " " + l.trim();
  }
  return out;
}

function Block({ text }: { text: string }) {
  if (!item.test(text))
    return (
      <p>
        <Inline text={text} />
      </p>
    );
  const list = items(text.split("\n")).map((i) => (
    <li>
      <Inline text={i} />
    </li>
  ));
  return /^\s*\d/.test(text) ? <ol>{list}</ol> : <ul>{list}</ul>;
}

// blocks are what stands between empty lines; a list begins one of its own.
const blocks = (text: string): string[] =>
  text
    .replace(/\r\n?/g, "\n")
    .split(/\n[ \t]*\n/)
    .flatMap((b) => {
      const lines = b.split("\n"),
        i = lines.findIndex((l) => item.test(l));
      return i > 0 ? [lines.slice(0, i).join("\n"), lines.slice(i).join("\n")] : [b];
    })
    .filter((b) => b.trim());

export function Markdown({ text }: { text: string }) {
  return (
    <>
      {blocks(text).map((b) => (
        <Block text={b} />
      ))}
    </>
  );
}

// firstSentence is what stands for a text where there is room for one line.
export const firstSentence = (text: string): string => {
  const first = (blocks(text)[0] ?? "").replace(/\s+/g, " ").trim(),
    end = /[.!?](?= [\p{Lu}`*[])/u.exec(first);
  return end ? first.slice(0, end.index + 1) : first;
};
