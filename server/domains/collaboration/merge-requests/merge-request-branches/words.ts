/** What commits, branches and merge requests are called that undo another one, or bring it into another branch. */

export interface MergedOne {
  number: number;
  title: string;
  source_branch: string;
  merge_sha: string;
}

export interface Said {
  /** Of the branch, where nobody names it. */
  branch: string;
  /** Of the commit. */
  message: string;
  /** Of the merge request. */
  title: string;
  description: string;
}

export function sayRevert({ number, title, source_branch: source, merge_sha: sha }: MergedOne): Said {
  const named = `Revert "${shortened(title)}"`;
  return {
    branch: `revert-${number}-${plain(source)}`,
    message: `${named}\n\nThis reverts !${number}, which was merged as ${sha}.\n`,
    title: named,
    description: `Reverts !${number}`,
  };
}

export function sayCherryPick({ number, title, merge_sha: sha }: MergedOne, target: string): Said {
  return {
    branch: `cherry-pick-${number}-${plain(target)}`,
    message: `${title} (!${number})\n\n(cherry picked from commit ${sha})\n`,
    title: `Cherry-pick "${shortened(title)}"`,
    description: `Cherry-picks !${number}`,
  };
}

/** `at`: which attempt to find a free one, from 1. */
export function nameOf(usual: string, at: number): string {
  return at === 1 ? usual : `${usual}-${at}`;
}

const maxPlain = 60;

/** A part of a branch's name that every tool and shell takes as it is. */
function plain(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu)?.join("-") ?? "";
  return cut(words, maxPlain).replace(/-$/, "") || "branch";
}

/** The words around it have to fit too. */
const maxTitle = 230;

function shortened(title: string): string {
  return title.length <= maxTitle ? title : `${cut(title, maxTitle)}…`;
}

/** Never within a character. */
function cut(text: string, max: number): string {
  return text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "");
}
