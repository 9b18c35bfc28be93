/** The operator's list of networks that jobs may reach beside the Internet: `10.1.2.0/24, 10.9.8.7:5432, [fd00::1]:443`. */
import { addressBytes, isWithin, networkOf, type Network } from "./address.ts";

export interface AllowedTarget {
  network: Network;
  /** null: every port. */
  port: number | null;
}

/** null for what is no network and no address, with or without a port. */
export function parseAllowed(text: string): AllowedTarget | null {
  const network = networkOf(text);
  if (network !== null) return { network, port: null };
  const match = /^(?:\[([^\]]+)\]|([\d./]+)):(\d{1,5})$/.exec(text);
  const before = networkOf(match?.[1] ?? match?.[2] ?? "");
  const port = Number(match?.[3]);
  return before !== null && port >= 1 && port <= 65_535 ? { network: before, port } : null;
}

/** The address is in a network of the list that is open for the port. */
export function isAllowed(list: readonly AllowedTarget[], address: string, port: number): boolean {
  const bytes = addressBytes(address);
  if (bytes === null) return false;
  return list.some(
    (target) => isWithin(bytes, target.network) && (target.port === null || target.port === port),
  );
}
