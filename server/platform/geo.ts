/** Where an address is, by a database file in MaxMind's format; without one, nowhere. */
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
    const found = reader.get(ipAddress);
    if (!found) return null;
    return {
      country: found.country?.iso_code ?? null,
      region: found.subdivisions?.[0]?.names.en ?? null,
      city: found.city?.names.en ?? null,
    };
  };
}
