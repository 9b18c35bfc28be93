/** The elements of a text in Markdown, as ours. */
import type { Element } from "hast";
import type { Components } from "hast-util-to-jsx-runtime";
import { useContext, type ReactNode } from "react";
import { alertKindOf } from "@forgeline/markdown/alerts.ts";
import { drawnCodeOf } from "@forgeline/markdown/drawn-code.ts";
import { classesOf, wordsOf } from "@forgeline/markdown/walk.ts";
import { CodeText } from "../contents/code-text.tsx";
import { Alert } from "./alert.tsx";
import { Diagram } from "./diagram.tsx";
import { Formula } from "./formula.tsx";
import { Picture, TextLink } from "./text-link.tsx";
import styles from "./markdown.module.css";
import { SuggestionContext } from "./suggestion-context.ts";
import { TaskBox } from "./task-box.tsx";
import { useShownText } from "./text-context.ts";

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
  pre: ({ node, children }) => <CodeBlock node={node}>{children}</CodeBlock>,
  code: ({ node, children }) => <Code node={node}>{children}</Code>,
  input: ({ node, checked }) => (
    <TaskBox
      index={node?.properties["dataTask"]}
      label={node?.properties["ariaLabel"]}
      checked={checked ?? false}
    />
  ),
};

function CodeBlock({ node, children }: { node: Element | undefined; children: ReactNode }) {
  const show = useContext(SuggestionContext);
  const { suggestions } = useShownText();
  const index = node && suggestions.get(node);
  const suggestion = node && index !== undefined ? show?.(index, wordsOf(node)) : undefined;
  return suggestion ?? (node && drawnIn(node)) ?? <pre tabIndex={0}>{children}</pre>;
}

/** A formula or diagram in the place of its block of code. */
function drawnIn(block: Element): ReactNode {
  const code = block.children.find((child) => child.type === "element");
  if (code?.type !== "element" || code.tagName !== "code") return undefined;
  const kind = drawnCodeOf(code);
  if (kind === undefined) return undefined;
  const source = wordsOf(code).trim();
  return kind === "diagram" ? (
    <Diagram key={source} source={source} />
  ) : (
    <Formula key={source} source={source} isDisplay />
  );
}

function Code({ node, children }: { node: Element | undefined; children: ReactNode }) {
  if (!node) return <code>{children}</code>;
  const kind = drawnCodeOf(node);
  if (kind === "formula" || kind === "display-formula")
    return <Formula key={wordsOf(node)} source={wordsOf(node)} isDisplay={kind === "display-formula"} />;
  const language = languageOf(node);
  return <code>{language ? <CodeText text={wordsOf(node)} language={language} /> : children}</code>;
}

function languageOf(code: Element): string | undefined {
  const found = classesOf(code).find((name) => name.startsWith("language-"));
  return found?.slice("language-".length);
}
