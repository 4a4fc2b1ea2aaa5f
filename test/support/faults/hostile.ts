/** Texts of a hostile agent. */

/** The only host that hostile links lead to. */
export const HOSTILE_HOST = 'evil.example';

export const MARKUP =
  '<script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)></svg><iframe src="javascript:alert(4)"></iframe>' +
  '<a href="javascript:alert(5)">x</a><style>*{display:none}</style></div></main></body>"\'><b onmouseover=alert(6)>{{7*7}}<!--]]>';
const LINKS =
  ` javascript:alert(7) data:text/html,<script>alert(8)</script> https://${HOSTILE_HOST}/?q="onmouseover=alert(9)` +
  ` http://user:pw@${HOSTILE_HOST}/a\u202egpj.exe HTTPS://${HOSTILE_HOST.toUpperCase()}//x https://${HOSTILE_HOST}/\u0430.`;
const BIDI = ' \u202eforced from the right\u2066 isolated \u202dforced from the left\u200f ';
const UNSEEN = ' zero\u200bwidth\ufeffmark\u00adhyphen\u2028line\u2029paragraph ';
const CONTROLS = ' nul\u0000bell\u0007escape\u001b[31mdelete\u007fc1\u0085\u009b ';
/** Combining marks that would cover the lines around their letter. */
const PILED = ` Z${'\u0301'.repeat(120)} `;
const UNBROKEN = 'W'.repeat(300);

/** All tricks in one text, short enough for every long text field. */
export const HOSTILE = `${MARKUP}${LINKS}${BIDI}${UNSEEN}${CONTROLS}${PILED}${UNBROKEN}`;
/** For names and other fields of one line. */
export const HOSTILE_LINE = `\u202e<img src=x onerror=alert(1)>\u2066"'&<b>${'\u0301'.repeat(20)}\u200b${'W'.repeat(40)}`;

/** Text of a length in bytes that is all markup. */
export function hostileOfLength(bytes: number): string {
  return '<b onload=alert(1)>'.repeat(Math.ceil(bytes / 19)).slice(0, bytes);
}
