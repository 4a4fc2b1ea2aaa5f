import { escapeMarkup } from '../../contract/markup.ts';
import type { DiffSide, SnapshotDiff } from './diff.ts';
import { type DiffSection, diffSections, totalLines, valueText } from './render-text.ts';

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:0 auto;padding:1rem}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}code,td{overflow-wrap:anywhere}li{margin:.4rem 0}
table{border-collapse:collapse;margin:.3rem 0 .8rem;width:100%}th,td{border:1px solid GrayText;padding:.2rem .5rem;text-align:left;vertical-align:top}
th[scope=row]{width:12rem;font-weight:normal}`;

/** A diff as one self-contained page: no script, nothing loaded, all registry texts escaped. */
export function renderDiffHtml(diff: SnapshotDiff): string {
  const sections = diffSections(diff);
  const title = `Snapshot ${diff.from.version} to ${diff.to.version}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title><style>${STYLE}</style></head><body><main>
<h1>${escapeMarkup(title)}</h1>
<p>${sideText('From', diff.from)}<br>${sideText('To', diff.to)}</p>
<ul>${totalLines(diff)
    .map((line) => `<li>${escapeMarkup(line)}</li>`)
    .join('')}</ul>
${sections.length === 0 ? '<p>Nothing differs.</p>' : sections.map(sectionHtml).join('\n')}
</main></body></html>
`;
}

function sideText(label: string, side: DiffSide): string {
  return escapeMarkup(`${label}: ${side.version}, ${side.corpus}, as of ${side.asOf}, content ${side.contentHash}`);
}

function sectionHtml({ heading, total, lines }: DiffSection): string {
  const items = lines.map((line) => {
    const rows = line.fields.map(
      (field) =>
        `<tr><th scope="row">${escapeMarkup(field.field)}</th><td>${escapeMarkup(valueText(field.old))}</td><td>${escapeMarkup(valueText(field.new))}</td></tr>`,
    );
    const head = '<thead><tr><th scope="col">field</th><th scope="col">old</th><th scope="col">new</th></tr></thead>';
    const table = rows.length === 0 ? '' : `<table>${head}<tbody>${rows.join('')}</tbody></table>`;
    return `<li>${escapeMarkup(line.text)}${table}</li>`;
  });
  const rest = total - lines.length;
  return `<section><h2>${escapeMarkup(heading)}: ${total}</h2><ul>${items.join('\n')}</ul>${rest > 0 ? `<p>… and ${rest} more</p>` : ''}</section>`;
}
