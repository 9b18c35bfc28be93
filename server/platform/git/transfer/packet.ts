/** Git's packet lines: four hexadecimal digits of length, then that many bytes less four. */

export const flushPacket = "0000";
/** Of one packet, without its length. */
export const maxPacketBytes = 65_516;

export function packet(text: string): string {
  return `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, "0")}${text}`;
}
