-- AlterTable
ALTER TABLE "invoices" ADD COLUMN     "voided_invoice_id" UUID;

-- CreateIndex
CREATE UNIQUE INDEX "invoices_voided_invoice_id_key" ON "invoices"("voided_invoice_id") WHERE (voided_invoice_id IS NOT NULL);

-- AddForeignKey
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_voided_invoice_id_fkey" FOREIGN KEY ("voided_invoice_id") REFERENCES "invoices"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
