-- AlterTable
ALTER TABLE "invoices" ADD COLUMN     "payment_method_id" UUID,
ADD COLUMN     "payment_method_type" "PaymentMethodType";

-- CreateIndex
CREATE INDEX "invoices_payment_method_id_idx" ON "invoices"("payment_method_id") WHERE (payment_method_id IS NOT NULL);

-- AddForeignKey
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_payment_method_id_fkey" FOREIGN KEY ("payment_method_id") REFERENCES "payment_methods"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
