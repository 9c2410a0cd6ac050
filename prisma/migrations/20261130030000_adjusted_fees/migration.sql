-- AlterTable
ALTER TABLE "fees" ADD COLUMN     "adjusted_invoice_display_name" TEXT,
ADD COLUMN     "adjusted_precise_unit_amount" DECIMAL(65,30),
ADD COLUMN     "adjusted_units" DECIMAL(65,30);
