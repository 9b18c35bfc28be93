/** The location of an address, by a database file in MaxMind's format; unknown without one. */
import { isIP } from "node:net";
import { open, type CityResponse } from "maxmind";

export interface Geo {
  country: string | null;
  region: string | null;
  city: string | null;
}

export type Locate = (ipAddress: string) => Geo | null;

/** Reads the whole file. Rejects, naming it, when it cannot be used. */
export async function openGeo(file: string | undefined): Promise<Locate> {
  if (file === undefined) return () => null;
  const reader = await open<CityResponse>(file).catch((error: Error) => {
    throw new Error(`FORGELINE_GEOIP_FILE ${file} cannot be used: ${error.message}`, { cause: error });
  });
  return (ipAddress) => {
    const family = isIP(ipAddress);
    // The reader would read an IPv6 address as if it were an IPv4 one.
    if (family === 0 || (family === 6 && reader.metadata.ipVersion === 4)) return null;
    const found = reader.get(ipAddress);
    if (!found) return null;
    return {
      country: found.country?.iso_code ?? null,
      region: found.subdivisions?.[0]?.names.en ?? null,
      city: found.city?.names.en ?? null,
    };
  };
}
