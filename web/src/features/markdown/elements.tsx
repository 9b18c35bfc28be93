/** The elements of a text in Markdown, as ours. */
import type { Element } from "hast";
import type { Components } from "hast-util-to-jsx-runtime";
import type { ReactNode } from "react";
import { alertKindOf } from "@forgeline/markdown/alerts.ts";
import { classesOf, wordsOf } from "@forgeline/markdown/walk.ts";
import { CodeText } from "../contents/code-text.tsx";
import { Alert } from "./alert.tsx";
import { Picture, TextLink } from "./text-link.tsx";
import styles from "./markdown.module.css";
import { TaskBox } from "./task-box.tsx";

/** Headings stand one level below the page's own. */
export const components: Partial<Components> = {
  h1: ({ children, id }) => (
    <h2 id={id} className={styles.first}>
      {children}
    </h2>
  ),
  h2: ({ children, id, className }) => (
    <h3 id={id} className={className === "sr-only" ? "visually-hidden" : styles.second}>
      {children}
    </h3>
  ),
  h3: ({ children, id }) => <h4 id={id}>{children}</h4>,
  h4: ({ children, id }) => <h5 id={id}>{children}</h5>,
  h5: ({ children, id }) => <h6 id={id}>{children}</h6>,
  a: ({ href, children, id, className, "aria-label": label, "aria-describedby": described }) => (
    <TextLink
      href={href}
      isReference={className?.split(" ").includes("reference") ?? false}
      {...{ id, "aria-label": label, "aria-describedby": described }}
    >
      {children}
    </TextLink>
  ),
  img: ({ src, alt, width, height }) => (
    <Picture src={typeof src === "string" ? src : undefined} alt={alt ?? ""} width={width} height={height} />
  ),
  table: ({ children }) => (
    // What scrolls must be reachable by keyboard.
    <div className={styles.scrolling} tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  blockquote: ({ node, children }) => {
    const kind = alertKindOf(node?.properties["dataAlert"]);
    return kind ? <Alert kind={kind}>{children}</Alert> : <blockquote>{children}</blockquote>;
  },
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  code: ({ node, children }) => <Code node={node}>{children}</Code>,
  input: ({ node, checked }) => (
    <TaskBox
      index={node?.properties["dataTask"]}
      label={node?.properties["ariaLabel"]}
      checked={checked ?? false}
    />
  ),
};

function Code({ node, children }: { node: Element | undefined; children: ReactNode }) {
  const language = node && languageOf(node);
  return <code>{node && language ? <CodeText text={wordsOf(node)} language={language} /> : children}</code>;
}

function languageOf(code: Element): string | undefined {
  const found = classesOf(code).find((name) => name.startsWith("language-"));
  return found?.slice("language-".length);
}
