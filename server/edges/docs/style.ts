/** The style sheet of documentation pages and sign-in pages: they look like the web interface. */
export const styleSheet = `:root {
  color-scheme: light dark;
  --ink: light-dark(#1a1d23, #e6e9ee);
  --muted: light-dark(#545c68, #a3acb9);
  --paper: light-dark(#fff, #12151a);
  --panel: light-dark(#f6f7f9, #1a1e25);
  --raised: light-dark(#fff, #20252d);
  --line: light-dark(#dfe3e8, #2c333d);
  --edge: light-dark(#8b94a1, #6c7684);
  --link: light-dark(#1a56bf, #7fb0ff);
  --on-link: light-dark(#fff, #0d1420);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; }
a { color: var(--link); }
header { background: var(--panel); padding: .75rem 1.5rem; border-bottom: 1px solid var(--line); display: flex; gap: 1.5rem; }
header a:first-child { font-weight: 650; color: var(--ink); text-decoration: none; }
.columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); max-width: 72rem; }
nav { padding: 1.5rem; border-right: 1px solid var(--line); }
nav p, nav summary { margin: 1.2rem 0 .2rem; color: var(--muted); font-size: .85rem; font-weight: 600; }
nav > :first-child { margin-top: 0; }
nav summary { cursor: pointer; }
.to-contents { display: none; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .2rem 0; text-decoration: none; }
nav a[aria-current] { font-weight: 650; color: var(--ink); }
main { padding: 1.5rem 2rem 4rem; min-width: 0; }
.columns:not(:has(nav a)) { grid-template-columns: minmax(0, 1fr); max-width: 40rem; margin: 1rem auto 0; }
nav:not(:has(a)) { display: none; }
main img { max-width: 100%; border: 1px solid var(--line); border-radius: 6px; }
main > :first-child { margin-top: 0; }
h1, h2, h3 { line-height: 1.25; scroll-margin-top: 1rem; }
h2 { margin-top: 2.2rem; }
code { font: .9em ui-monospace, monospace; background: var(--panel); padding: .1em .3em; border-radius: 4px; }
pre { background: var(--panel); padding: 1rem; overflow-x: auto; border-radius: 6px; }
pre code { background: none; padding: 0; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .4rem .7rem; text-align: left; vertical-align: top; }
th { background: var(--panel); }
.method { font: 600 .85em ui-monospace, monospace; text-transform: uppercase; }
label, button, input { font: inherit; }
label { font-weight: 560; }
input:not([type="hidden"]), button { border: 1px solid var(--edge); border-radius: 6px; background: var(--raised); color: var(--ink); }
input:not([type="hidden"]) { width: 100%; max-width: 24rem; padding: .4rem .6rem; font-weight: 400; }
button { padding: .35rem 1rem; margin-right: .5rem; font-weight: 540; cursor: pointer; }
form button:first-of-type { background: var(--link); border-color: var(--link); color: var(--on-link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.muted { color: var(--muted); }
:target { outline: 2px solid var(--link); outline-offset: .3rem; }
@media (max-width: 46rem) {
  .columns { grid-template-columns: minmax(0, 1fr); }
  nav { order: 2; border-right: 0; border-top: 1px solid var(--line); }
  .to-contents { display: inline; margin-left: auto; }
  main { padding: 1.5rem; }
}
`;
