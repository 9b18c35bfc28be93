/** A database of places in MaxMind's format: every IPv4 address that begins with a 0 bit is in Utrecht, others nowhere. */
import { writeFile } from "node:fs/promises";

const control = (type: number, size: number) =>
  Buffer.from(type < 8 ? [(type << 5) | size] : [size, type - 7]);
const text = (value: string) => Buffer.concat([control(2, Buffer.byteLength(value)), Buffer.from(value)]);
const number = (type: 5 | 6 | 9, value: number) => Buffer.concat([control(type, 1), Buffer.from([value])]);
const list = (...items: Buffer[]) => Buffer.concat([control(11, items.length), ...items]);
const map = (members: Record<string, Buffer>) =>
  Buffer.concat([
    control(7, Object.keys(members).length),
    ...Object.entries(members).flatMap(([key, value]) => [text(key), value]),
  ]);

export async function writePlacesFile(file: string): Promise<void> {
  const names = (en: string) => map({ names: map({ en: text(en) }) });
  // One node: its left record points at the first place, behind 16 bytes of separation; its right one at nothing.
  const tree = Buffer.from([0, 0, 1 + 16, 0, 0, 1]);
  const place = map({
    country: map({ iso_code: text("NL") }),
    subdivisions: list(names("Utrecht (province)")),
    city: names("Utrecht"),
  });
  const metadata = map({
    node_count: number(6, 1),
    record_size: number(5, 24),
    ip_version: number(5, 4),
    database_type: text("Test-City"),
    languages: list(text("en")),
    binary_format_major_version: number(5, 2),
    binary_format_minor_version: number(5, 0),
    build_epoch: number(9, 1),
    description: map({ en: text("test") }),
  });
  const marker = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
  await writeFile(file, Buffer.concat([tree, Buffer.alloc(16), place, marker, metadata]));
}
