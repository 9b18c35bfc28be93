/** Made by `node scripts/generate-rows.ts` from the statements of read.store.ts; do not edit. */

export interface ReadRows {
  readCommits: {
    computed_at: Date | null;
    commit: string | null;
    total_commits: number;
    is_waiting: boolean;
    problem: string | null;
    weeks: {
      week: string;
      commits: number;
      additions: number;
      deletions: number;
    }[] | null;
  };
  readLanguages: {
    computed_at: Date | null;
    commit: string | null;
    total_commits: number;
    is_waiting: boolean;
    problem: string | null;
    languages: {
      language: string;
      color: string | null;
      bytes: number;
      files: number;
    }[];
  };
  listContributors: {
    name: string | null;
    username: string | null;
    email: string | null;
    commits: number;
    additions: number;
    deletions: number;
    first_week: string;
    last_week: string;
    weeks: {
      week: string;
      commits: number;
      additions: number;
      deletions: number;
    }[];
  };
}
