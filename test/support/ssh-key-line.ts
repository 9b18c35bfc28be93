/** Public SSH keys as they stand in `id_ed25519.pub`, each another one. */
import { generateKeyPairSync } from "node:crypto";

export function newSshKeyLine(comment = "test"): string {
  const { x = "" } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  const parts = [Buffer.from("ssh-ed25519"), Buffer.from(x, "base64url")];
  const blob = Buffer.concat(
    parts.flatMap((part) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(part.length);
      return [length, part];
    }),
  );
  return `ssh-ed25519 ${blob.toString("base64")} ${comment}`;
}
