/** Where templates are. The first place that exists counts; the others are as GitHub and GitLab have them. */
export interface TemplatePlaces {
  directories: readonly string[];
  /** Single files, for those who have only one. */
  files: readonly string[];
  /** Whether forms are taken. */
  forms: boolean;
}

export const issueTemplates: TemplatePlaces = {
  directories: [".forgeline/issue-templates", ".github/ISSUE_TEMPLATE", ".gitlab/issue_templates"],
  files: [".forgeline/issue-template.md", ".github/ISSUE_TEMPLATE.md"],
  forms: true,
};

export const mergeRequestTemplates: TemplatePlaces = {
  directories: [
    ".forgeline/merge-request-templates",
    ".github/PULL_REQUEST_TEMPLATE",
    ".gitlab/merge_request_templates",
  ],
  files: [
    ".forgeline/merge-request-template.md",
    ".github/pull_request_template.md",
    ".github/PULL_REQUEST_TEMPLATE.md",
  ],
  forms: false,
};

/** Whether a file of such a directory is a template: `config.yml` has GitHub's settings of the list. */
export function isTemplate(name: string, { forms }: TemplatePlaces): boolean {
  if (/\.md$/i.test(name)) return true;
  return forms && /\.ya?ml$/.test(name) && !/^config\.ya?ml$/.test(name);
}
