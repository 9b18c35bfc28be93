/** Which passwords are refused: short ones, those without variety, the user's own name, and those that everybody tries first. */
import type { FieldError } from "@forgeline/schemas/core/errors.ts";

const minLength = 10;
const maxLength = 1000;
const minDistinct = 5;

/** Of ten characters and more, from public lists of the most used ones. */
const wellKnown = new Set(
  `password12 password123 password1234 password12345 password123456 1password1 passw0rd12 passw0rd123 p@ssw0rd123
  p@ssword123 passwordpassword mypassword mypassword1 newpassword newpassword1 1234567890 12345678901 123456789012
  0123456789 0987654321 1234567891 123456789a a123456789 123456789q q123456789 abc1234567 abcd123456 abcdefghij
  abcdefghijk abcdefghijkl qwertyuiop qwertyuiop1 qwertyuiop123 qwerty1234 qwerty12345 qwerty123456 1q2w3e4r5t
  1q2w3e4r5t6y 1qaz2wsx3edc qazwsxedcrfv zaq12wsxcde3 q1w2e3r4t5y6 asdfghjkl1 asdfghjkl; zxcvbnm123 iloveyou12
  iloveyou123 iloveyou1234 letmein123 letmein1234 welcome123 welcome1234 administrator admin12345 admin123456
  changeme123 changeme1234 football123 baseball123 superman123 princess123 sunshine123 dragon12345 monkey12345
  trustno1trustno1 starwars123 basketball michelle123 charlie123 jennifer123 computer123 internet123 secret1234
  testtest123 test123456 test1234567 default123 forgeline123 forgeline1234 correcthorsebatterystaple`.split(
    /\s+/,
  ),
);

/** Undefined when the password may be used. */
export function passwordProblem(password: string, username: string): FieldError | undefined {
  const text = password.normalize("NFKC");
  const lower = text.toLowerCase();
  const problem = (code: string, message: string) => ({ field: "password", code, message });
  if (text.length < minLength) return problem("too_short", `At least ${minLength} characters are required.`);
  if (text.length > maxLength) return problem("too_long", `At most ${maxLength} characters are allowed.`);
  if (new Set(lower).size < minDistinct)
    return problem("too_simple", `At least ${minDistinct} different characters are required.`);
  if (withoutDigits(lower) === withoutDigits(username.toLowerCase()) || lower === username.toLowerCase())
    return problem("too_simple", "The password must differ from the user name.");
  if (wellKnown.has(lower)) return problem("too_simple", "This is one of the most common passwords.");
  return undefined;
}

function withoutDigits(text: string): string {
  return text.replaceAll(/\d/g, "");
}
