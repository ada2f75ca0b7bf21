import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writtenBoards, writtenRunbooks } from './observability-files.ts';
import type { WrittenPanel } from './observability-files.ts';

const BOARDS = writtenBoards();
const RUNBOOK = '${docs_url}/runbooks/';

it('there is a dashboard for each question', () => {
  assert.deepEqual(
    BOARDS.map(({ uid }) => uid),
    ['pfq-dependencies', 'pfq-insured-journey', 'pfq-overview', 'pfq-quote-pricing'],
  );
});

for (const { file, panels, schemaVersion } of BOARDS) {
  describe(file, () => {
    const shown = panels.filter(({ type }) => type !== 'row');

    it('is of a schema that Grafana 12 reads, and none of its panels is another', () => {
      assert.ok(schemaVersion >= 41);
      assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    });

    it('says on every panel what is seen, in which unit', () => {
      for (const { title, description = '', fieldConfig, targets = [] } of shown) {
        assert.notEqual(title, '');
        assert.match(description, /^[A-Z0-9].{15,}[.]$/s, title);
        assert.ok(fieldConfig?.defaults.unit, title);
        assert.ok(
          targets.every(({ legendFormat }) => legendFormat !== ''),
          title,
        );
      }
    });

    it('has no panel on top of another, nor beyond its edge', () => {
      for (const [index, panel] of panels.entries()) {
        assert.ok(panel.gridPos.x + panel.gridPos.w <= 24, panel.title);
        const covered = panels.slice(index + 1).filter((other) => overlaps(panel, other));
        assert.deepEqual(
          covered.map(({ title }) => title),
          [],
          panel.title,
        );
      }
    });

    it('leads to runbooks that there are', () => {
      const names = shown.flatMap(({ links = [] }) => links.map(({ url }) => url.replace(RUNBOOK, '')));
      assert.ok(names.length > 0);
      assert.deepEqual(
        names.filter((name) => !writtenRunbooks().has(name)),
        [],
      );
    });
  });
}

function overlaps({ gridPos: one }: WrittenPanel, { gridPos: other }: WrittenPanel): boolean {
  const isApart =
    one.x + one.w <= other.x || other.x + other.w <= one.x || one.y + one.h <= other.y || other.y + other.h <= one.y;
  return !isApart;
}
