// What a machine is, in the words of the program.
import { value } from "./format";
import type { Platform } from "./types";

// platform describes a machine in short: what it is, then what its owner can change.
export function platform(m: Platform): string[] {
  const name = [[m.goos, m.goarch].filter(Boolean).join("/"), m.cpu].filter(Boolean).join(" ");
  if (!name) return [];
  return [name + (m.cpus > 0 ? ", " + cpus(m.cpus) : ""), ...conditions(m)];
}

const cpus = (n: number): string => n + (n === 1 ? " CPU" : " CPUs");

function conditions(m: Platform): string[] {
  return [
    m.virtual ?? "",
    m.procs && m.procs !== m.cpus ? "GOMAXPROCS=" + m.procs : "",
    m.governor ? m.governor + " governor" : "",
    m.power_profile ? m.power_profile + " profile" : "",
    m.power ? "on " + m.power : "",
  ].filter(Boolean);
}

// facts are all that is known of a machine, for the table of the method.
export function facts(m: Platform): [string, string][] {
  const all: [string, string | number | undefined][] = [
    ["system", [m.goos, m.goarch].filter(Boolean).join("/")],
    ["processor", m.cpu],
    ["CPUs to use", m.cpus || ""],
    ["cores", m.cores],
    ["memory", m.memory_bytes && value("B", m.memory_bytes, 0.001)],
    ["kernel", m.kernel],
    ["virtual machine", m.virtual],
    ["GOMAXPROCS", m.procs],
    ["governor", m.governor],
    ["power profile", m.power_profile],
    ["power", m.power],
    ["CPU used by others", m.load == null ? "" : Math.round(100 * m.load) + " %"],
    ...Object.entries(m.go_env ?? {}),
    ["platform", m.id],
  ];
  return all.filter(([, v]) => v).map(([k, v]) => [k, String(v)]);
}
