/** Rules for names of owners that their form does not express. */
const reservedNames = new Set(
  "api docs downloads runners healthz readyz metrics oauth login logout settings users user orgs repos explore search new static assets avatars sign-up reset-password .well-known favicon.ico robots.txt system anonymous notifications".split(
    " ",
  ),
);

export function isReservedOwnerName(name: string): boolean {
  return reservedNames.has(name.toLowerCase()) || /\.(git|lock)$/i.test(name);
}
