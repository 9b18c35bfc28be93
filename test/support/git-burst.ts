/** Requests that make Git work, each another question, so that nothing is answered from memory. */

const commits = 40;
const lines = 200;

/** As `fast-import` reads it: a file of 200 lines whose lines were written by 40 commits, and a branch beside them. */
export function burstHistory(): string {
  const text = Array.from({ length: lines }, (_, n) => `line ${n}\n`);
  const parts: string[] = [];
  const who = (n: number) => `committer Ada <ada@example.org> ${1_700_000_000 + n * 60} +0000\n`;
  for (let n = 0; n < commits; n++) {
    for (let line = n % 7; line < lines; line += 7) text[line] = `line ${line} of ${n}\n`;
    const content = text.join("");
    parts.push(
      `commit refs/heads/main\n${who(n)}data 6\nchange\nM 644 inline file\ndata ${content.length}\n`,
    );
    parts.push(`${content}\ncommit refs/heads/side-${n}\n${who(n)}data 4\nside\nfrom refs/heads/main\n\n`);
  }
  return parts.join("");
}

/** The n-th question: blame, history or a comparison. */
export function burstPath(repository: string, n: number): string {
  const branch = `side-${(n * 13) % commits}`;
  const other = `side-${(n * 29 + 7) % commits}`;
  switch (n % 3) {
    case 0:
      return `/repos/${repository}/blame/${branch}/file`;
    case 1:
      return `/repos/${repository}/commits?ref=${branch}&path=file&per_page=${1 + (n % 90)}`;
    default:
      return `/repos/${repository}/compare/${branch}...${other}`;
  }
}
