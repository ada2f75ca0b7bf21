import { testAudit } from './audit-contract.test-support.ts';
import { testListings } from './listing-contract.test-support.ts';
import type { MakeScene } from './scene.test-support.ts';
import { testTenancy } from './tenancy-contract.test-support.ts';
import { testUpserts } from './upsert-contract.test-support.ts';

/** Everything that an engine promises to whoever keeps applications in it. */
export function testStoreContract(makeScene: MakeScene): void {
  testUpserts(makeScene);
  testListings(makeScene);
  testTenancy(makeScene);
  testAudit(makeScene);
}
