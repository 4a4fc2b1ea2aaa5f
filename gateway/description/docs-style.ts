/** The style sheet of /docs; its hash stands in the page's policy. */
export const DOCS_STYLE = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --shade: #f4f6f8; --link: #0a58ca; --get: #0b6b3a; --write: #8a3b00; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #111418; --ink: #e6e9ed; --soft: #a3adb8; --line: #343b44; --shade: #1a1f26; --link: #7db4ff; --get: #6fd39b; --write: #ffb27a; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--link); }
a:focus-visible, [tabindex]:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--paper); border: 2px solid var(--link); z-index: 1; }
.page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 84rem; margin: 0 auto; }
header, footer { grid-column: 1 / -1; padding: 1.5rem; }
header { border-bottom: 1px solid var(--line); }
footer { border-top: 1px solid var(--line); color: var(--soft); }
nav { padding: 1.5rem 1rem 1.5rem 1.5rem; border-right: 1px solid var(--line); font-size: .9rem; }
nav > div { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding-top: 1rem; }
nav h2 { margin: 0 0 .5rem; font-size: 1rem; }
nav h3 { margin: 1rem 0 .25rem; font-size: .85rem; color: var(--soft); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { margin: .15rem 0; }
nav a { display: inline-block; padding: .1rem 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
main { padding: 0 1.5rem 3rem; min-width: 0; }
h1 { margin: 0 0 .5rem; font-size: 1.9rem; line-height: 1.2; }
h2::first-letter, h3::first-letter { text-transform: uppercase; }
h2 { margin: 2.5rem 0 .5rem; padding-bottom: .25rem; border-bottom: 2px solid var(--line); font-size: 1.45rem; }
h3 { margin: 2.25rem 0 .25rem; font-size: 1.15rem; }
h4 { margin: 1rem 0 .25rem; font-size: .95rem; color: var(--soft); }
p { margin: .5rem 0; max-width: 75ch; }
li { max-width: 75ch; }
code { font: .9em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: .5rem 0; padding: .75rem 1rem; background: var(--shade); border: 1px solid var(--line); border-radius: 6px; overflow-x: auto; white-space: pre-wrap; }
pre code { user-select: all; }
.call { margin: .25rem 0 .5rem; }
.call b { color: var(--get); }
.call.write b { color: var(--write); }
.scroll { overflow-x: auto; margin: .25rem 0 .75rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
caption { text-align: left; font-weight: 600; color: var(--soft); padding: .25rem 0; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; }
tbody th { font-weight: 400; white-space: nowrap; }
td:last-child { min-width: 14rem; }
.note { padding: .75rem 1rem; background: var(--shade); border-left: 4px solid var(--write); max-width: 80ch; }
@media (max-width: 50rem) {
  .page { display: block; }
  header, main, footer { padding-left: 1rem; padding-right: 1rem; }
  nav { border-right: 0; border-bottom: 1px solid var(--line); padding: 1rem; }
  nav > div { position: static; max-height: 16rem; padding-top: 0; }
  h1 { font-size: 1.5rem; }
}
@media print { nav, .skip { display: none; } .page { display: block; } }
`;
